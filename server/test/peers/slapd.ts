/**
 * Debian's slapd on free ports of this machine, with StartTLS and LDAPS, memberof and refint, and a small company in it.
 * It can be stopped, started again with its data, and frozen. `describeWithSlapd` skips where slapd is not installed.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { connect as openSocket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'ldapts'
import { describe, it } from 'vitest'
import { atEnd } from '../harness/at-end.ts'
import { makeFolder } from '../process/temp-folder.ts'
import { type Certificates, makeCertificates } from './certificates.ts'
import { freePort } from './free-port.ts'
import { freeze, thaw } from './freeze.ts'
import { companyEntries } from './slapd-company.ts'

const program = '/usr/sbin/slapd'
const baseDn = 'dc=example,dc=org'
const adminDn = `cn=admin,${baseDn}`
const adminPassword = 'secret'

export interface Slapd {
  /** `ldap://127.0.0.1:…`, which also offers StartTLS. */
  url: string
  ldapsUrl: string
  /** The value of OUTBOUND_ALLOWED_HOSTS for reaching both. */
  hostPorts: string
  caPem: string
  caFile: string
  baseDn: string
  adminDn: string
  adminPassword: string
  /** Runs with a connection that may do anything. */
  asAdmin<Result>(work: (client: Client) => Promise<Result>): Promise<Result>
  stop(): Promise<void>
  /** Again, with the same ports and data. */
  start(): Promise<void>
  /** Connected, but answering nothing. */
  freeze(): Promise<void>
  thaw(): void
}

interface Options {
  /** Treats an empty password as an anonymous bind and accepts it, as Active Directory does. */
  isAnonymousFriendly?: boolean
  isEmpty?: boolean
  /** The host that the certificate is for; 127.0.0.1 by default. */
  san?: string
}

/**
 * Skips loudly where slapd is missing; CI never lacks it. The body may await, and should start slapd and the app there:
 * an `afterAll` that they register inside a `beforeAll` would not run.
 */
export const describeWithSlapd = (name: string, body: () => Promise<void>): void => {
  if (existsSync(program)) return void describe(name, body)
  if (process.env.CI) throw new Error(`${program} is missing: ${name} cannot run`)
  console.warn(`SKIPPED, needs slapd: ${name}`)
  describe.skip(name, () => it('needs slapd', () => undefined))
}

/** Gone when the tests around it have ended. */
export const startSlapd = async (options: Options = {}): Promise<Slapd> => {
  const folder = await makeFolder()
  await mkdir(join(folder, 'db'))
  const certificates = await makeCertificates(folder, options)
  const [port, tlsPort] = [await freePort(), await freePort()]
  const url = `ldap://127.0.0.1:${port}`
  const ldapsUrl = `ldaps://127.0.0.1:${tlsPort}`
  await writeFile(join(folder, 'slapd.conf'), configuration(folder, certificates, options))

  let child: ChildProcess | undefined
  const start = async (): Promise<void> => {
    const args = ['-f', join(folder, 'slapd.conf'), '-h', `${url}/ ${ldapsUrl}/`, '-d', '0']
    child = spawn(program, args, { stdio: 'ignore' })
    await Promise.all([waitForPort(child, port), waitForPort(child, tlsPort)])
  }
  const stop = async (): Promise<void> => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }
  const asAdmin: Slapd['asAdmin'] = async (work) => {
    const client = new Client({ url, timeout: 10_000, connectTimeout: 10_000 })
    try {
      await client.bind(adminDn, adminPassword)
      return await work(client)
    } finally {
      await client.unbind()
    }
  }
  atEnd(async () => {
    await stop()
    await rm(folder, { recursive: true, force: true })
  })
  await start()
  await asAdmin(async (client) => {
    for (const [dn, attributes] of companyEntries(baseDn, options)) await client.add(dn, attributes)
  })
  const { caPem, caFile } = certificates
  const hostPorts = `127.0.0.1:${port},127.0.0.1:${tlsPort}`
  return {
    url,
    ldapsUrl,
    hostPorts,
    caPem,
    caFile,
    baseDn,
    adminDn,
    adminPassword,
    asAdmin,
    stop,
    start,
    freeze: async () => child && freeze(child),
    thaw: () => child && thaw(child),
  }
}

const configuration = (folder: string, certificates: Certificates, options: Options): string =>
  [
    ...['core', 'cosine', 'inetorgperson', 'nis'].map((name) => `include /etc/ldap/schema/${name}.schema`),
    `pidfile ${join(folder, 'slapd.pid')}`,
    'modulepath /usr/lib/ldap',
    ...['back_mdb', 'memberof', 'refint'].map((name) => `moduleload ${name}`),
    `TLSCACertificateFile ${certificates.caFile}`,
    `TLSCertificateFile ${certificates.certFile}`,
    `TLSCertificateKeyFile ${certificates.keyFile}`,
    options.isAnonymousFriendly ? 'allow bind_anon_cred bind_anon_dn' : 'disallow bind_anon',
    'database mdb',
    'maxsize 104857600',
    `suffix "${baseDn}"`,
    `rootdn "${adminDn}"`,
    `rootpw ${adminPassword}`,
    `directory ${join(folder, 'db')}`,
    'overlay memberof',
    'overlay refint',
    'refint_attributes member',
    'access to attrs=userPassword by self write by anonymous auth by * none',
    options.isAnonymousFriendly ? 'access to * by * read' : 'access to * by users read by * none',
    '',
  ].join('\n')

const waitForPort = async (child: ChildProcess, port: number): Promise<void> => {
  for (let tries = 0; tries < 500; tries += 1) {
    if (child.exitCode !== null) throw new Error(`slapd ended with code ${child.exitCode}`)
    const socket = openSocket(port, '127.0.0.1')
    try {
      await once(socket, 'connect')
      return
    } catch {
      await sleep(20)
    } finally {
      socket.destroy()
    }
  }
  throw new Error('slapd does not listen')
}
