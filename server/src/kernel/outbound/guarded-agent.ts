/**
 * A connection pool whose every new connection passes the guard. The check costs nothing on a kept connection, since that
 * one stays with the address it was checked for.
 */
import { isIP, type LookupFunction } from 'node:net'
import { Agent, buildConnector } from 'undici'
import type { Resolve } from './guard.ts'

const connectTimeoutMs = 10_000
const maxHeaderBytes = 32 * 1024

/**
 * HTTP/1.1 only: its limits on headers are ours to set. No environment variable reaches this agent, proxies included.
 * Idle connections go after four seconds, before the usual five of the servers behind, which else cut a request in two.
 */
export const createGuardedAgent = (resolve: Resolve, tls: TlsOptions = {}): Agent =>
  new Agent({
    connect: guardedConnector(resolve, tls),
    allowH2: false,
    useMilo: false,
    maxHeaderSize: maxHeaderBytes,
    keepAliveTimeout: 4_000,
  })

interface TlsOptions {
  /** False accepts any certificate. */
  rejectUnauthorized?: boolean
}

const guardedConnector = (resolve: Resolve, tls: TlsOptions): buildConnector.connector => {
  const dial = buildConnector({
    ...tls,
    timeout: connectTimeoutMs,
    allowH2: false,
    autoSelectFamily: true,
    lookup: lookupThrough(resolve),
  })
  return (options, callback) => {
    // A socket asks no resolver about an address, so addresses must pass the guard before it is opened.
    if (isIP(options.hostname) === 0) dial(options, callback)
    else
      resolve(options.hostname).then(
        () => dial(options, callback),
        (problem: Error) => callback(problem, null),
      )
  }
}

const lookupThrough =
  (resolve: Resolve): LookupFunction =>
  (hostname, { all }, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const found = addresses.map((address) => ({ address, family: isIP(address) }))
        if (all) callback(null, found)
        else callback(null, found[0]?.address ?? '', found[0]?.family)
      },
      (problem: Error) => callback(problem, []),
    )
  }
