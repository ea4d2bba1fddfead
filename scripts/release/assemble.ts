/** Copies what the archive holds into one folder: our code, the packages it needs, the web app and Node.js. */
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import type { Build } from './build.ts'
import type { Package } from './closure.ts'
import { isFileLeftOut, isOwnFileLeftOut } from './left-out.ts'

interface Assembly {
  project: string
  target: string
  build: Build
  packages: readonly Package[]
}

/** Tests are left out; `docs` has the pages from which the guide answers. */
export const ownFolders = [
  'server/src',
  'server/migrations',
  'client/src',
  'client/cli',
  'contract/src',
  'expression/src',
  'plugin/src',
  'plugin/examples',
  'web/dist',
  'docs',
  'deploy',
]
const ownFiles = [
  'server/package.json',
  'client/package.json',
  'contract/package.json',
  'expression/package.json',
  'plugin/package.json',
  'scripts/verify-evidence.mjs',
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
]

type Filter = (file: string) => boolean

/** A package's own packages are packages of their own. */
const copyTree = (from: string, to: string, isLeftOut: Filter, folder = ''): void => {
  for (const entry of readdirSync(join(from, folder), { withFileTypes: true })) {
    const file = join(folder, entry.name)
    if (entry.isDirectory()) {
      if (entry.name !== 'node_modules') copyTree(from, to, isLeftOut, file)
      continue
    }
    if (isLeftOut(file)) continue
    mkdirSync(dirname(join(to, file)), { recursive: true })
    if (entry.isSymbolicLink()) symlinkSync(readlinkSync(join(from, file)), join(to, file))
    else copyFileSync(join(from, file), join(to, file))
  }
}

const link = (target: string, path: string): void => {
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(relative(dirname(path), target), path)
}

const copyPackages = ({ project, target, packages, build }: Assembly): void => {
  for (const { path, name } of packages) {
    if (path === nodePackage(build)) continue
    if (!path.includes('node_modules/')) link(join(target, path), join(target, 'node_modules', name))
    else copyTree(join(project, path), join(target, path), (file) => isFileLeftOut(name, file, build.platform))
  }
}

/** npm has Node.js as a package; in the archive it is `bin/node`. */
const nodePackage = ({ platform }: Build): string => `node_modules/node-${platform}`

const copyNode = ({ project, target, build }: Assembly): void => {
  const from = join(project, nodePackage(build))
  mkdirSync(join(target, 'bin'), { recursive: true })
  copyFileSync(join(from, 'bin/node'), join(target, 'bin/node'))
  copyFileSync(join(from, 'LICENSE'), join(target, 'bin/LICENSE-node'))
}

export const assemble = (assembly: Assembly): void => {
  const { project, target, build } = assembly
  for (const folder of ownFolders) copyTree(join(project, folder), join(target, folder), isOwnFileLeftOut)
  for (const file of ownFiles) {
    mkdirSync(dirname(join(target, file)), { recursive: true })
    copyFileSync(join(project, file), join(target, file))
  }
  copyPackages(assembly)
  copyNode(assembly)
  const launcher = join(target, 'chancery')
  copyFileSync(join(import.meta.dirname, basename(launcher)), launcher)
  chmodSync(launcher, 0o755)
  const manifest = { name: 'chancery', version: build.version, private: true, license: 'MIT', type: 'module' }
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  writeFileSync(join(target, 'build.json'), `${JSON.stringify(build, null, 2)}\n`)
  for (const built of ['index.html', 'help/index.html'])
    if (!existsSync(join(target, 'web/dist', built))) throw new Error(`web/dist/${built} has not been built.`)
}
