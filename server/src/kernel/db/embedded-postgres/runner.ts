/**
 * Starts PostgreSQL's programs as the right user.
 *
 * A clone below `/root`, or a data folder below any folder closed to others, is out of reach for the user we drop to.
 * Rather than open folders that are not ours, we then grant the programs one capability, reading past permissions,
 * through `setpriv`. `no_setuid_fixup` makes `access(2)` honour it (initdb asks that way whether postgres is there);
 * all other capabilities are gone with the exec.
 */
import { type ChildProcess, execFile, type StdioOptions, spawn } from 'node:child_process'
import { chmod, lchown, readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { StartError } from '#kernel/process/start-error.ts'
import type { Account } from './account.ts'
import type { Binaries } from './binaries.ts'
import { findClosedFolder } from './reach.ts'

export interface Runner {
  spawn(file: string, args: string[], options: { detached?: boolean; stdio: StdioOptions }): ChildProcess
  /** Hands a folder and all in it to the account. */
  giveAway(folder: string): Promise<void>
}

interface Options {
  account: Account | undefined
  binaries: Binaries
  dataDir: string
}

/** Without Chancery's own variables, which hold secrets, and in a working folder that every user can enter. */
const surroundings = { cwd: '/', env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', TZ: 'UTC' } }

export const createRunner = async ({ account, binaries, dataDir }: Options): Promise<Runner> => {
  if (!account) {
    return {
      spawn: (file, args, options) => spawn(file, args, { ...surroundings, ...options }),
      giveAway: async () => {},
    }
  }
  for (const program of [binaries.initdb, binaries.postgres]) await openToAll(program)
  const closed =
    (await findClosedFolder(account, dirname(binaries.postgres))) ?? (await findClosedFolder(account, dataDir))
  const giveAway = (folder: string) => chownTree(folder, account)
  if (!closed) {
    const { uid, gid } = account
    return { spawn: (file, args, options) => spawn(file, args, { ...surroundings, ...options, uid, gid }), giveAway }
  }
  const prefix = readingPastPermissions(account)
  await requireSetpriv({ prefix, account, closed, program: binaries.postgres })
  return {
    spawn: (file, args, options) => spawn('setpriv', [...prefix, file, ...args], { ...surroundings, ...options }),
    giveAway,
  }
}

const readingPastPermissions = ({ uid, gid }: Account): string[] => [
  `--reuid=${uid}`,
  `--regid=${gid}`,
  '--clear-groups',
  '--securebits=+no_setuid_fixup',
  '--inh-caps=+dac_read_search',
  '--ambient-caps=+dac_read_search',
  '--bounding-set=-all,+dac_read_search',
  '--',
]

interface SetprivTrial {
  prefix: string[]
  account: Account
  closed: string
  program: string
}

const requireSetpriv = async ({ prefix, account, closed, program }: SetprivTrial): Promise<void> => {
  try {
    await promisify(execFile)('setpriv', [...prefix, program, '--version'], surroundings)
  } catch (error) {
    throw new StartError(
      `PostgreSQL runs as user ${account.name}, who may not enter ${closed}: allow it (chmod o+x ${closed}), use another folder, or start Chancery as a user other than root.`,
      { cause: error },
    )
  }
}

/** A strict umask during the install leaves the programs closed to others; no capability helps against that. */
const openToAll = async (program: string): Promise<void> => {
  const { mode } = await stat(program)
  if ((mode & 0o001) === 0) await chmod(program, 0o755)
}

/** Links themselves are handed over, never what they point to. */
const chownTree = async (folder: string, account: Account): Promise<void> => {
  await lchown(folder, account.uid, account.gid)
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    await (entry.isDirectory() ? chownTree(path, account) : lchown(path, account.uid, account.gid))
  }
}
