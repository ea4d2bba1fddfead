/** The packages that some workspaces need to run, read from the lock file. */

export interface Locked {
  name?: string
  version?: string
  license?: string
  integrity?: string
  link?: boolean
  resolved?: string
  os?: string | string[]
  cpu?: string | string[]
  libc?: string | string[]
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
}

export interface Lock {
  packages: Record<string, Locked>
}

export interface Platform {
  os: string
  cpu: string
  libc: string
}

export interface Package {
  /** Where npm puts it, such as `node_modules/a/node_modules/b`. */
  path: string
  name: string
  version: string
  license: string | undefined
  integrity: string | undefined
  /** Paths. */
  needs: string[]
}

const allows = (wanted: string | string[] | undefined, ours: string): boolean => {
  if (wanted === undefined) return true
  const list = [wanted].flat()
  if (list.includes(`!${ours}`)) return false
  return list.includes(ours) || list.every((entry) => entry.startsWith('!'))
}

const runsOn = ({ os, cpu, libc }: Locked, platform: Platform): boolean =>
  allows(os, platform.os) && allows(cpu, platform.cpu) && allows(libc, platform.libc)

/** As Node.js looks for it: in the `node_modules` of the package, then in those of the folders above. */
const find = (lock: Lock, from: string, name: string): string | undefined => {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const path = `${folder}${folder && '/'}node_modules/${name}`
    const found = lock.packages[path]
    if (found) return found.link ? found.resolved : path
    if (folder === '') return undefined
  }
}

/** Also those that its user must bring: npm has installed them. */
const namesNeededBy = ({ dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta }: Locked) => [
  ...Object.keys(dependencies ?? {}),
  ...Object.keys(optionalDependencies ?? {}),
  ...Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta?.[name]?.optional),
]

/** Workspaces are among them, by their folder. What the lock has for other platforms only is not. */
export const packagesFor = (lock: Lock, workspaces: readonly string[], platform: Platform): Package[] => {
  const found = new Map<string, Package>()
  const visit = (path: string): void => {
    const entry = lock.packages[path]
    if (!entry || found.has(path)) return
    const needs = namesNeededBy(entry)
      .map((name) => find(lock, path, name))
      .filter((needed) => needed !== undefined)
      .filter((needed) => runsOn(lock.packages[needed] ?? {}, platform))
    const name = entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const { version = '', license, integrity } = entry
    found.set(path, { path, name, version, license, integrity, needs: [...new Set(needs)].sort() })
    for (const needed of needs) visit(needed)
  }
  for (const workspace of workspaces) visit(workspace)
  return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
}
