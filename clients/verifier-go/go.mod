module euchre-verifier

go 1.21
