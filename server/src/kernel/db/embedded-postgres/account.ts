/**
 * PostgreSQL refuses to run as root. Started by root, it runs as the user who owns its files already, else as
 * `postgres`, else as `nobody`; started by anyone else, it runs as the caller.
 */
import { lstat, readFile } from 'node:fs/promises'
import { StartError } from '#kernel/process/start-error.ts'

export interface Account {
  name: string
  uid: number
  gid: number
}

const candidates = ['postgres', 'nobody']

/** Undefined: the caller itself. */
export const chooseAccount = async (clusterDir: string, passwd = '/etc/passwd'): Promise<Account | undefined> => {
  if (process.getuid?.() !== 0) return undefined
  // Only users with an entry will do: initdb looks its own name up.
  const accounts = parsePasswd(await readFile(passwd, 'utf8')).filter(({ uid }) => uid !== 0)
  const owner = await lstat(clusterDir).catch(() => undefined)
  const chosen =
    accounts.find(({ uid }) => uid === owner?.uid) ??
    candidates.map((name) => accounts.find((account) => account.name === name)).find((account) => account)
  if (chosen) return chosen
  throw new StartError(
    'PostgreSQL refuses to run as root and this machine has neither a user postgres nor nobody: start Chancery as another user, or set DATABASE_URL.',
  )
}

const parsePasswd = (content: string): Account[] =>
  content.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':')
    return name && uid && gid ? [{ name, uid: Number(uid), gid: Number(gid) }] : []
  })
