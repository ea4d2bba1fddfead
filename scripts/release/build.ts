/** What is released: version, commit and time. The same commit gives the same answer, whenever it is built. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Build {
  version: string
  /** `unknown` where the sources came without git and nobody said it. */
  commit: string
  /** Of the commit, so that two builds of it can be compared byte by byte. */
  builtAt: string
  /** As `linux-x64`. */
  platform: string
}

const git = (project: string, ...args: string[]): string | undefined => {
  try {
    return execFileSync('git', args, { cwd: project, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return undefined
  }
}

/** `RELEASE_COMMIT` and `SOURCE_DATE_EPOCH` say it where there is no git, as in the build of an image. */
export const describeBuild = (project: string, env: NodeJS.ProcessEnv): Build => {
  const { version } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as { version: string }
  const head = env.RELEASE_COMMIT || git(project, 'rev-parse', 'HEAD')
  const isChanged = !env.RELEASE_COMMIT && !!git(project, 'status', '--porcelain')
  const seconds = env.SOURCE_DATE_EPOCH || git(project, 'log', '-1', '--format=%ct')
  return {
    version,
    commit: `${head ?? 'unknown'}${isChanged ? '-changed' : ''}`,
    builtAt: new Date(seconds === undefined ? Date.now() : Number(seconds) * 1000).toISOString(),
    platform: `${process.platform}-${process.arch}`,
  }
}

/** People read the changelog before they upgrade, so a version without an entry isn't released. */
export const hasChangelogEntry = (changelog: string, version: string): boolean =>
  changelog.split('\n').some((line) => line.startsWith('## ') && line.slice(3).split(/[ ,]/)[0] === version)
