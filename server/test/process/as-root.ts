/** Tests that need root: elsewhere they are skipped, and the output says which. */
import { readFileSync } from 'node:fs'
import { describe } from 'vitest'

export const isRoot = process.getuid?.() === 0

export const describeAsRoot = (name: string, body: () => void): void => {
  if (!isRoot) console.warn(`SKIPPED, needs root: ${name}`)
  describe.skipIf(!isRoot)(name, { timeout: 60_000 }, body)
}

/** Docker's default withholds this capability (bit 2), even from root. */
const canReadPastPermissions =
  isRoot &&
  (Number.parseInt(/^CapBnd:.*(\w)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0', 16) & 4) !== 0

export const describeWithCapability = (name: string, body: () => void): void => {
  if (!canReadPastPermissions) console.warn(`SKIPPED, needs root with CAP_DAC_READ_SEARCH: ${name}`)
  describe.skipIf(!canReadPastPermissions)(name, { timeout: 60_000 }, body)
}

/** `nobody` on Debian. */
export const otherUser = 65534

/**
 * Prefix for a command that runs it as an ordinary user who can still read the project, wherever it was cloned. (Its
 * only extra capability is to read despite permissions: files are written, and PostgreSQL is started, as that user.)
 */
export const asOtherUser = [
  'setpriv',
  `--reuid=${otherUser}`,
  `--regid=${otherUser}`,
  '--clear-groups',
  ...(canReadPastPermissions
    ? ['--securebits=+no_setuid_fixup', '--inh-caps=+dac_read_search', '--ambient-caps=+dac_read_search']
    : []),
]

/** Root in a container without the capability to read despite permissions, as in Docker's default. */
export const withoutCapability = ['setpriv', '--bounding-set=-dac_read_search', '--inh-caps=-dac_read_search']
