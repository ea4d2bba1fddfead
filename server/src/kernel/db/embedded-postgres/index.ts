/**
 * PostgreSQL as part of Chancery: the binaries npm installed, files below the data folder, no TCP, a child process
 * that starts and stops with us. The caller holds the data folder's instance lock.
 */
import type { Log } from '#kernel/log.ts'
import { folderProblem, openDataFolder } from '#kernel/process/data-folder.ts'
import { makeSocketFolder } from '#kernel/process/socket-folder.ts'
import { chooseAccount } from './account.ts'
import { addressesOf } from './addresses.ts'
import { findBinaries } from './binaries.ts'
import { type BringUp, bringUp } from './bring-up.ts'
import { clusterDirOf, openCluster } from './cluster.ts'
import { provision } from './provision.ts'
import { createRunner } from './runner.ts'
import { launchServer } from './server.ts'
import { serverSettings } from './settings.ts'
import { supervise } from './supervise.ts'

export { runningPostgresUrl } from './addresses.ts'
export { settingsFor } from './settings.ts'

export interface Options {
  dataDir: string
  /** For the application's role. By default it is derived from a secret that is stored with the database files. */
  password?: string
  /** PostgreSQL settings that replace ours. */
  settings?: Record<string, string>
  log: Log
}

export interface EmbeddedPostgres {
  /** For `pg`: role and database `chancery`, over the unix socket. Stays the same when the server is restarted. */
  url: string
  stop(): Promise<void>
}

/** Throws a `StartError` when this machine or this data folder does not allow it. */
export const startEmbeddedPostgres = async ({
  password,
  settings,
  log,
  ...options
}: Options): Promise<EmbeddedPostgres> => {
  const dataDir = await openDataFolder(options.dataDir)
  const binaries = await findBinaries()
  const account = await chooseAccount(clusterDirOf(dataDir))
  const runner = await createRunner({ account, binaries, dataDir })
  const { dir: clusterDir, superuserPassword } = await openCluster({ dataDir, binaries, runner, account }).catch(
    (error: unknown) => {
      throw folderProblem(dataDir, error)
    },
  )

  const { socketFolder, superuserUrl, url, applicationPassword } = addressesOf(dataDir, superuserPassword, password)

  const plan: BringUp = {
    dataDir,
    clusterDir,
    url,
    log,
    launch: async () => {
      await makeSocketFolder(socketFolder)
      await runner.giveAway(socketFolder)
      return launchServer({ runner, binaries, clusterDir, settings: { ...serverSettings(socketFolder), ...settings } })
    },
    provision: () => provision({ superuserUrl, applicationPassword }),
  }
  const { stop } = await supervise({ start: (signal) => bringUp(plan, signal), log })
  return { url, stop }
}
