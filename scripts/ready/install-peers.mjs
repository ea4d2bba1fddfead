/** The real programs that tests talk to. Root on Debian installs them; elsewhere the tests that need them are skipped. */
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { NotReady, run } from './run.mjs'

/** @type {{ name: string, command: string, proves: string, isOptional?: boolean }[]} */
const peers = [
  { name: 'chromium', command: 'chromium', proves: 'the web app in a real browser' },
  // The headless build of the same browser, which is faster; the tests also run without it.
  { name: 'chromium-headless-shell', command: 'chromium-headless-shell', proves: 'nothing more', isOptional: true },
  { name: 'redis-server', command: 'redis-server', proves: 'limits and fan-out through Redis' },
  { name: 'slapd', command: 'slapd', proves: 'sign-in with a real LDAP directory' },
  { name: 'ldap-utils', command: 'ldapsearch', proves: 'sign-in with a real LDAP directory' },
  { name: 'poppler-utils', command: 'pdfsig', proves: 'signed documents as another PDF reader sees them' },
  { name: 'pgbouncer', command: 'pgbouncer', proves: 'work behind a connection pooler' },
  { name: 'nginx-light', command: 'nginx', proves: 'large files, sockets and event streams behind nginx' },
  { name: 'openssl', command: 'openssl', proves: 'signatures as another program verifies them' },
]

export const installPeers = async () => {
  const missing = await listMissing()
  if (missing.length === 0) return
  if (process.getuid?.() === 0 && (await isCommand('apt-get'))) {
    // Separately, so that a package that isn't available doesn't prevent the others.
    await install(missing.filter(({ isOptional }) => !isOptional))
    await install(missing.filter(({ isOptional }) => isOptional))
  }

  const lacking = (await listMissing()).filter(({ isOptional }) => !isOptional)
  if (lacking.length === 0) return
  if (process.env.CI) {
    throw new NotReady(
      `Tests need packages that could not be installed: ${lacking.map(({ name }) => name).join(', ')}.`,
    )
  }
  console.warn('WARNING: tests will be SKIPPED because programs are missing:')
  for (const { name, proves } of lacking) console.warn(`  ${name}: ${proves}`)
}

const install = async (/** @type {{ name: string }[]} */ wanted) => {
  if (wanted.length === 0) return
  const names = wanted.map(({ name }) => name)
  console.log(`Installing Debian packages for the tests: ${names.join(', ')} …`)
  const apt = (/** @type {string[]} */ ...args) => run('apt-get', args, { DEBIAN_FRONTEND: 'noninteractive' })
  const installAll = () => apt('install', '--yes', '--no-install-recommends', ...names)
  if ((await installAll()).ok) return
  // Package lists may be absent (container images) or too old.
  await apt('update')
  const { ok, output } = await installAll()
  if (!ok) console.warn(output)
}

const listMissing = async () => {
  const found = await Promise.all(peers.map(({ command }) => isCommand(command)))
  return peers.filter((_, index) => !found[index])
}

/** Debian keeps daemons in sbin, which is not on every user's PATH. */
const isCommand = async (/** @type {string} */ command) => {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
  const tries = folders.map((folder) =>
    access(join(folder, command), constants.X_OK).then(
      () => true,
      () => false,
    ),
  )
  return (await Promise.all(tries)).includes(true)
}
