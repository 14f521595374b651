/**
 * Take the seat of an invitation, unless the token file is there already.
 *
 * Whoever is stopped between the request and the token gets the same one at the next start.
 */
export function takeSeat({ address, tls, invitation, tokenFile }: {
    address: any;
    tls: any;
    invitation: any;
    tokenFile: any;
}, say?: () => void): Promise<void>;
