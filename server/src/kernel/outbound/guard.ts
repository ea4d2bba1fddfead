/**
 * From a name to the addresses a connection may go to. Fails closed: no answer, an odd answer, or one private address
 * among public ones all refuse. The caller connects to what is returned here and never resolves the name again, so a
 * resolver that changes its mind (DNS rebinding) changes nothing.
 */
import { lookup as systemLookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { AppError } from '../errors.ts'
import type { Log } from '../log.ts'
import { blocked } from './target.ts'

/** Answers every address of a name, as text. */
export type Lookup = (hostname: string) => Promise<string[]>

export type Resolve = (hostname: string) => Promise<string[]>

interface GuardOptions {
  lookup: Lookup
  mayReach: (address: string) => boolean
  log: Log
}

interface Guard {
  /** Refuses unless every address of the name is public. An address given as text is judged itself. */
  resolvePublic: Resolve
  /** For hosts that an administrator named: any address will do. */
  resolveNamed: Resolve
}

export const lookupBySystem: Lookup = async (hostname) =>
  (await systemLookup(hostname, { all: true })).map(({ address }) => address)

export const createGuard = ({ lookup, mayReach, log }: GuardOptions): Guard => {
  const resolveNamed: Resolve = async (hostname) => (isIP(hostname) === 0 ? await ask(lookup, hostname) : [hostname])

  const resolvePublic: Resolve = async (hostname) => {
    const addresses = await resolveNamed(hostname)
    const refused = addresses.filter((address) => !mayReach(address))
    if (refused.length > 0) {
      log.warn({ hostname, refused }, 'outbound: the host has addresses that are not public')
      throw blocked()
    }
    return addresses
  }

  return { resolvePublic, resolveNamed }
}

const ask = async (lookup: Lookup, hostname: string): Promise<string[]> => {
  let addresses: string[]
  try {
    addresses = await lookup(hostname)
  } catch (cause) {
    throw new AppError('outbound_failed', { detail: 'The name of the other server could not be resolved.', cause })
  }
  if (addresses.length === 0 || addresses.some((address) => isIP(address) === 0))
    throw new AppError('outbound_failed', { detail: 'The name of the other server could not be resolved.' })
  return addresses
}
