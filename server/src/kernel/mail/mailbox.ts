/**
 * One name for the addresses that reach one mailbox: what follows a plus is a tag of its owner's choice. Without this, a
 * sender has as many addresses of a person as they like. Pure.
 */
export const mailboxOf = (address: string): string => {
  const at = address.lastIndexOf('@')
  const plus = address.indexOf('+')
  const end = plus > 0 && plus < at ? plus : at
  return (address.slice(0, end) + address.slice(at)).toLowerCase()
}
