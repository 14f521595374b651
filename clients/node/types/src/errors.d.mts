/** What stops a client, by exit code. */
/** An error that ends the client with one line and an exit code. */
export class ClientError extends Error {
    constructor(exit: any, message: any);
    exit: any;
}
/** The connection or the bot failed: exit 1. */
export class LostError extends ClientError {
    constructor(message: any);
}
/** The command was called wrongly: exit 2. */
export class UsageError extends ClientError {
    constructor(message: any);
}
/** The seal, a signature or the key is not what it has to be: exit 3. */
export class SealError extends ClientError {
    constructor(message: any);
}
/** Another process has taken the seat: exit 4. */
export class SupersededError extends ClientError {
    constructor(message: any);
}
