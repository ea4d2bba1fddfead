/**
 * Which addresses belong to the public internet. Pure.
 *
 * IPv4: everything but the special blocks of the IANA registry. IPv6: only 2000::/3, where all global unicast lives,
 * less its special blocks; so mapped, compatible and translated IPv4, unique local, link-local, site-local, multicast
 * and whatever is still unassigned are refused without being named. NAT64 is judged by the IPv4 address inside, since
 * on an IPv6-only machine with DNS64 every IPv4 server looks like that.
 */
import { isIPv4, isIPv6 } from 'node:net'

export const isPublicAddress = (address: string): boolean => {
  if (isIPv4(address)) return isPublicIpv4(ipv4Number(address))
  if (address.includes('%') || !isIPv6(address)) return false
  const groups = ipv6Groups(address)
  if (isInside(groups, nat64)) return isPublicIpv4(embeddedIpv4(groups))
  return isInside(groups, globalUnicast) && !specialIpv6.some((block) => isInside(groups, block))
}

interface Block<Base> {
  base: Base
  bits: number
}

const ipv4Number = (address: string): number => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)

const ipv4Block = (text: string): Block<number> => {
  const [address = '', bits] = text.split('/')
  return { base: ipv4Number(address), bits: Number(bits) }
}

const specialIpv4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local, cloud metadata
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
].map(ipv4Block)

const isPublicIpv4 = (address: number): boolean =>
  !specialIpv4.some(({ base, bits }) => Math.floor(address / 2 ** (32 - bits)) === Math.floor(base / 2 ** (32 - bits)))

/** The eight 16-bit groups of a valid address in any of its text forms. */
const ipv6Groups = (address: string): number[] => {
  const [head = '', tail] = address.split('::')
  const front = groupsOf(head)
  if (tail === undefined) return front
  const back = groupsOf(tail)
  return [...front, ...new Array<number>(8 - front.length - back.length).fill(0), ...back]
}

const groupsOf = (text: string): number[] =>
  text === ''
    ? []
    : text.split(':').flatMap((part) => (part.includes('.') ? ipv4Groups(part) : [Number.parseInt(part, 16)]))

const ipv4Groups = (address: string): number[] => {
  const number = ipv4Number(address)
  return [Math.floor(number / 65_536), number % 65_536]
}

const embeddedIpv4 = (groups: number[]): number => (groups[6] ?? 0) * 65_536 + (groups[7] ?? 0)

const ipv6Block = (text: string): Block<number[]> => {
  const [address = '', bits] = text.split('/')
  return { base: ipv6Groups(address), bits: Number(bits) }
}

const nat64 = ipv6Block('64:ff9b::/96')
const globalUnicast = ipv6Block('2000::/3')
const specialIpv6 = [
  '2001::/23', // protocol assignments: Teredo, benchmarks, ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '3fff::/20', // documentation
].map(ipv6Block)

const isInside = (groups: number[], { base, bits }: Block<number[]>): boolean =>
  base.every((group, index) => {
    const shift = 16 - Math.min(16, Math.max(0, bits - index * 16))
    return group >> shift === (groups[index] ?? 0) >> shift
  })
