module bot

go 1.24.0

require euchrebot v0.0.0

replace euchrebot => ./euchre/clients/go
