/**
 * Cuts a child off from the machine. Node's permission model holds everywhere; the rest is taken from the operating
 * system where it has it: an own network namespace, another user, resource limits, an end with the parent. Each layer
 * is tried once, at the first start of a child, and left out with a warning where it does not work.
 */
import { execFile } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Log } from '#kernel/log.ts'
import type { WorkerSettings } from './worker.ts'

export interface Confinement {
  /** A network namespace without any interface. */
  network: boolean
  /** Limits on data, core files and written files by the kernel. */
  limits: boolean
  /** No new privileges, no capabilities, and the kernel kills the child when its parent dies. */
  privileges: boolean
  /** A user of its own, so that a child cannot signal, trace or read from the server or another child. */
  account: boolean
}

interface Command {
  file: string
  args: string[]
}

/** The program of every child. */
export const entry = new URL('./process/main.ts', import.meta.url)
const entryPath = fileURLToPath(entry)
const serverDir = fileURLToPath(new URL('../../..', import.meta.url))
const rootDir = fileURLToPath(new URL('../../../..', import.meta.url))

/** Our code and its packages. Data, configuration and keys lie elsewhere. */
const readable = [
  `${serverDir}src/`,
  `${serverDir}package.json`,
  `${serverDir}node_modules/`,
  `${rootDir}contract/`,
  `${rootDir}package.json`,
  `${rootDir}node_modules/`,
]

/**
 * Children of root run as users from a range that distributions keep free and that fits into a container's mapping.
 * `nobody` will not do: other services, among them our own PostgreSQL, may run as that user.
 */
const firstUid = 65_100
const uidCount = 300
/** The private writable mappings of an idle Node, reserved code space and thread stacks included. */
const baseDataMb = 640
const mebibyte = 1024 * 1024

const toolFolders = ['/usr/bin', '/bin', '/usr/sbin', '/sbin']

const findTool = (name: string): string | undefined =>
  toolFolders
    .map((folder) => `${folder}/${name}`)
    .find((path) => {
      try {
        accessSync(path, constants.X_OK)
        return true
      } catch {
        return false
      }
    })

const isRoot = (): boolean => process.getuid?.() === 0

const networkLayer = (tool: string): string[] =>
  isRoot() ? [tool, '--net', '--'] : [tool, '--user', '--map-current-user', '--net', '--']

const limitsLayer = (tool: string, dataMb: number, fileMb = 0): string[] => [
  tool,
  `--data=${dataMb * mebibyte}`,
  '--core=0',
  `--fsize=${fileMb * mebibyte}`,
  '--',
]

const privilegesLayer = (tool: string, uid: number | undefined): string[] => [
  tool,
  '--no-new-privs',
  '--inh-caps=-all',
  '--pdeathsig',
  'KILL',
  ...(isRoot() ? ['--bounding-set=-all'] : []),
  ...(uid === undefined ? [] : ['--reuid', `${uid}`, '--regid', `${uid}`, '--clear-groups']),
  '--',
]

const run = promisify(execFile)

const works = async (prefix: string[], nodeArgs: string[]): Promise<boolean> => {
  const [file = process.execPath, ...args] = [...prefix, process.execPath, ...nodeArgs]
  return run(file, args, { env: {}, timeout: 30_000 }).then(
    () => true,
    () => false,
  )
}

const canRead = ['-e', 'require("node:fs").accessSync(process.argv[1])', entryPath]

export const probeConfinement = async (log: Log): Promise<Confinement> => {
  const [unshare, prlimit, setpriv] = ['unshare', 'prlimit', 'setpriv'].map(findTool)
  const [network, limits, privileges, account] = await Promise.all([
    unshare ? works(networkLayer(unshare), ['--version']) : false,
    prlimit ? works(limitsLayer(prlimit, baseDataMb), ['--version']) : false,
    setpriv ? works(privilegesLayer(setpriv, undefined), ['--version']) : false,
    setpriv && isRoot() ? works(privilegesLayer(setpriv, firstUid), canRead) : false,
  ])
  const found = { network, limits, privileges, account }
  const missing = Object.entries(found).flatMap(([name, isThere]) =>
    isThere || (name === 'account' && !isRoot()) ? [] : [name],
  )
  if (missing.length > 0) log.warn({ missing }, 'Child processes run without some of the protections of this system.')
  return found
}

export interface ChildStart {
  settings: WorkerSettings
  confinement: Confinement
  /** Tells children that run at the same time apart. */
  slot: number
  /** To the server, and to other children once a task takes long. */
  givesWay: boolean
  /** Prepared; without it the child loads our files one by one. */
  program: string | undefined
}

export const commandFor = ({ settings, confinement, slot, program = entryPath }: ChildStart): Command => {
  const { memoryMb } = settings.limits
  const [unshare, prlimit, setpriv] = ['unshare', 'prlimit', 'setpriv'].map(findTool)
  const uid = confinement.account ? firstUid + (slot % uidCount) : undefined
  const prefix = [
    ...(unshare && confinement.network && !settings.network ? networkLayer(unshare) : []),
    ...(prlimit && confinement.limits ? limitsLayer(prlimit, baseDataMb + memoryMb) : []),
    ...(setpriv && confinement.privileges ? privilegesLayer(setpriv, uid) : []),
  ]
  const [file = process.execPath, ...args] = [...prefix, process.execPath, ...nodeArguments(settings, program)]
  return { file, args }
}

/** For another program. Its processes get a namespace of their own too, so that all of them end with the first. */
export const programCommand = (
  { file, args, memoryMb, fileMb }: { file: string; args: readonly string[]; memoryMb: number; fileMb: number },
  confinement: Confinement,
  slot: number,
): Command & { uid: number | undefined } => {
  const [unshare, prlimit, setpriv] = ['unshare', 'prlimit', 'setpriv'].map(findTool)
  const uid = confinement.account ? firstUid + (slot % uidCount) : undefined
  const [first = '', ...rest] = unshare ? networkLayer(unshare) : []
  const [command = file, ...all] = [
    // The namespace has a parent of its own, which must end with the server too.
    ...(setpriv && confinement.privileges ? [setpriv, '--pdeathsig', 'KILL', '--'] : []),
    ...(unshare && confinement.network ? [first, '--pid', '--fork', '--kill-child', ...rest] : []),
    ...(prlimit && confinement.limits ? limitsLayer(prlimit, memoryMb, fileMb) : []),
    ...(setpriv && confinement.privileges ? privilegesLayer(setpriv, uid) : []),
    file,
    ...args,
  ]
  return { file: command, args: all, uid }
}

const nodeArguments = (settings: WorkerSettings, program: string): string[] => {
  const script = fileURLToPath(settings.script)
  const { addon, network } = settings
  const { messageBytes } = settings.limits
  return [
    '--permission',
    ...(addon === undefined ? [] : ['--allow-addons']),
    ...[...readable, script, ...settings.read].map((path) => `--allow-fs-read=${path}`),
    `--max-old-space-size=${Math.floor((settings.limits.memoryMb * 3) / 4)}`,
    '--no-warnings',
    program,
    script,
    JSON.stringify({ network, messageBytes, addon }),
  ]
}
