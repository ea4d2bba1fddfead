/**
 * What others wrote, for a terminal: control characters but line breaks and tabs become a sign, since a terminal obeys
 * them. Pure.
 */
export const printable = (text: string): string => text.replaceAll('\r\n', '\n').replace(/[^\P{Cc}\n\t]/gu, '\ufffd')
