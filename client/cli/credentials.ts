/**
 * Where the person is signed in: `CHANCERY_URL` and `CHANCERY_KEY`, or a file that its owner alone can read. The file is
 * replaced as a whole, so that a crash leaves the old one.
 */
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { CliError, type Terminal } from './command.ts'

export interface SignIn {
  url: string
  token: string
  /** Unix seconds; null for a key that was given. */
  expires_at: number | null
}

type Env = Terminal['env']

export const credentialsPath = ({ XDG_CONFIG_HOME, HOME = homedir() }: Env): string =>
  join(XDG_CONFIG_HOME || join(HOME, '.config'), 'chancery', 'credentials.json')

export const saveSignIn = async (env: Env, signIn: SignIn): Promise<void> => {
  const path = credentialsPath(env)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.${process.pid}`
  await writeFile(draft, `${JSON.stringify(signIn, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  await rename(draft, path)
}

export const forgetSignIn = (env: Env): Promise<void> => rm(credentialsPath(env), { force: true })

/** Undefined where nobody is signed in. */
export const readSignIn = async (env: Env): Promise<SignIn | undefined> => {
  const { CHANCERY_URL: url, CHANCERY_KEY: token } = env
  if (token) {
    if (!url) throw new CliError('CHANCERY_KEY needs CHANCERY_URL: the address of the server.')
    return { url, token, expires_at: null }
  }
  const path = credentialsPath(env)
  const found = await stat(path).catch(() => undefined)
  if (!found) return undefined
  if ((found.mode & 0o077) !== 0)
    throw new CliError(`${path} can be read by others. Run chmod 600 on it, or sign in again after deleting it.`)
  const saved = parse(await readFile(path, 'utf8'))
  if (!saved) throw new CliError(`${path} isn't readable. Delete it and sign in again.`)
  return saved
}

const parse = (text: string): SignIn | undefined => {
  try {
    const { url, token, expires_at = null } = JSON.parse(text)
    return typeof url === 'string' && typeof token === 'string' ? { url, token, expires_at } : undefined
  } catch {
    return undefined
  }
}
