/** The connection that Chancery itself uses, and how to tell that it works. */
import pg from 'pg'

/** Not a superuser: a hole in our SQL must not become a way to read files or run programs. */
export const applicationRole = 'chancery'
export const applicationDatabase = 'chancery'

interface Target {
  socketFolder: string
  user: string
  password: string
  database: string
}

/** The query's `host` wins over the one before it, which only keeps the address readable for every URL parser. */
export const connectionUrl = ({ socketFolder, user, password, database }: Target): string =>
  `postgres://${user}:${encodeURIComponent(password)}@localhost/${database}?host=${encodeURIComponent(socketFolder)}`

export type Answer = 'ready' | 'not provisioned' | 'starting' | 'silent'

const meanings: Record<string, Answer> = {
  ENOENT: 'silent',
  ECONNREFUSED: 'silent',
  ECONNRESET: 'silent',
  '28P01': 'not provisioned', // no such role, or another password
  '3D000': 'not provisioned', // no such database
  '57P03': 'starting', // replaying its log after a crash
  '53300': 'starting', // every slot taken by clients that were waiting for it
}

export const askServer = async (url: string): Promise<Answer> => {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return 'ready'
  } catch (error) {
    const answer = error instanceof Error && 'code' in error ? meanings[String(error.code)] : undefined
    if (answer) return answer
    throw error
  } finally {
    await client.end()
  }
}
