/** A passkey belongs to a domain, so there is none for a bare IP address. */
const isAddress = (host: string) => /^[\d.]+$|:/.test(host)

export const canUsePasskeys = (): boolean =>
  isSecureContext && 'PublicKeyCredential' in window && !isAddress(location.hostname)
