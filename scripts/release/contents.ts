/** Which packages the archive holds, and which are bundled into the web app. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Lock, type Package, packagesFor } from './closure.ts'
import { isPackageLeftOut } from './left-out.ts'
import type { Contents } from './sbom.ts'

/** They make the web app and are no part of it. */
const webTools: ReadonlySet<string> = new Set(['vite', '@vitejs/plugin-react', '@tailwindcss/vite'])

const isKept = ({ name }: Package): boolean => !isPackageLeftOut(name)

export const contentsOf = (project: string, platform: string): Contents => {
  const lock = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8')) as Lock
  const [os = '', cpu = ''] = platform.split('-')
  const place = { os, cpu, libc: 'glibc' }
  const node = `node_modules/node-${platform}`
  return {
    server: packagesFor(lock, ['server', node], place).filter(isKept),
    web: packagesFor(without(lock, 'web', webTools), ['web'], place).filter(isKept),
  }
}

const without = (lock: Lock, workspace: string, names: ReadonlySet<string>): Lock => {
  const { dependencies = {}, ...entry } = lock.packages[workspace] ?? {}
  const kept = Object.fromEntries(Object.entries(dependencies).filter(([name]) => !names.has(name)))
  return { packages: { ...lock.packages, [workspace]: { ...entry, dependencies: kept } } }
}
