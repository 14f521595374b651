/** Add a line in one write; a disk that is full in the midst of it takes a part and says nothing. */
export function addLine(file: any, line: any): void;
/** Refuse a file that others may read. */
export function checkPrivate(path: any, { mode }: {
    mode: any;
}): void;
/** Refuse what is there and is no file, as a folder, a pipe and a device are none. */
export function checkRegular(path: any, what: any): void;
/** All bytes of a file that a flag names; one that can be none of ours is wrong usage. */
export function readNamed(path: any, what: any, { most, isPrivate }?: {
    most?: number;
    isPrivate?: boolean;
}): Buffer<ArrayBuffer>;
/** The 32-byte secret in a file, which is made, readable by its owner alone, if it is absent. */
export function keptSecret(path: any): Uint8Array<ArrayBuffer>;
/** More bytes than a file of one line has: a token, a secret, a request. */
export const LONGEST_LINE: number;
/**
 * The append-only record of commits and reveals, one canonical JSON object a line.
 *
 * Clients of other languages read and write the same lines. In one match the file is one seat's; what
 * another process has added is read before each promise.
 *
 * Node has no lock that they would see, so it needs none: a line is added at the end in one write and
 * read back, and of two promises for one deal the first stands. Nothing is ever cut off, as the last
 * line may be another's that is being written.
 */
export class StateFile {
    constructor(path: any);
    path: any;
    matches: Map<any, any>;
    seats: Map<any, any>;
    cuts: Map<any, any>;
    csets: Map<any, any>;
    read: number;
    lines: number;
    torn: boolean;
    file: number;
    /** Read what is new; what a crash has torn was never relied on, and counts for nothing. */
    load(): void;
    remember({ match, seat, r0, deal, cut, cset }: {
        match: any;
        seat: any;
        r0: any;
        deal: any;
        cut: any;
        cset: any;
    }): void;
    write(entry: any): void;
    /** Refuse a match that is on file with another chain, its id is being used again; or another's. */
    meet({ match, seat, r0 }: {
        match: any;
        seat: any;
        r0: any;
    }): void;
    /** The cut that a commitment on file holds, if any. */
    cutOf(match: any, deal: any): any;
    /** The commit set that a reveal was written down for, if any. */
    csetOf(match: any, deal: any): any;
    /** Note a commit before it is sent; the cut on file wins over the one proposed. */
    committing({ match, seat, r0, deal, cut }: {
        match: any;
        seat: any;
        r0: any;
        deal: any;
        cut: any;
    }): any;
    /** Note the commit set that a reveal answers, before it is sent; a second one is refused. */
    revealing({ match, deal, cset }: {
        match: any;
        deal: any;
        cset: any;
    }): void;
    close(): void;
}
