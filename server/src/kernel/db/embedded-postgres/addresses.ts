/** Where the server of a data folder is reached, and with which passwords. */
import { createHmac } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { socketFolderOf } from '#kernel/process/socket-folder.ts'
import { clusterDirOf, readPassword, superuser } from './cluster.ts'
import { applicationDatabase, applicationRole, connectionUrl } from './connection.ts'

/** The application's password is derived from the superuser's unless it is given. */
export const addressesOf = (dataDir: string, superuserPassword: string, password?: string) => {
  const socketFolder = socketFolderOf({ dataDir, name: 'run', socket: '.s.PGSQL.5432' })
  const applicationPassword =
    password ?? createHmac('sha256', superuserPassword).update('application role').digest('hex')
  const at = (user: string, secret: string, database: string): string =>
    connectionUrl({ socketFolder, user, password: secret, database })
  return {
    socketFolder,
    applicationPassword,
    superuserUrl: at(superuser, superuserPassword, 'postgres'),
    url: at(applicationRole, applicationPassword, applicationDatabase),
  }
}

/** Of a server that another process has started. Needs a user who may read its files: their owner, or root. */
export const runningPostgresUrl = async (dataDir: string): Promise<string> => {
  const folder = await realpath(dataDir)
  return addressesOf(folder, await readPassword(clusterDirOf(folder))).url
}
