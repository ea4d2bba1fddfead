/** Deletes from the packs of this machine what the tables no longer have, and what a crash left behind. */
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '#kernel/clock.ts'
import type { DocumentVersion } from '../queries/vectors.ts'
import { claim, listCollections, listFolders, listPacks, namesIn, readLive, unpack } from './pack-folder.ts'
import type { Pack } from './pack-format.ts'
import { unfinishedEnding, writePack } from './write-pack.ts'

export type ListDocuments = (collectionId: string) => Promise<readonly DocumentVersion[]>

export const sweepPacks = async (root: string, clock: Clock, listDocuments: ListDocuments): Promise<void> => {
  for (const collectionId of await listCollections(root)) {
    const packs = new Map<string, Pack[]>()
    for (const folder of await listFolders(root, collectionId)) packs.set(folder, await listPacks(root, folder))
    // After the packs: a server may write some of a newer version meanwhile.
    const documents = await listDocuments(collectionId)
    if (documents.length === 0) await rm(join(root, collectionId), { recursive: true, force: true })
    else
      for (const [folder, found] of packs) {
        await shrink(folder, found, documents)
        await deleteUnfinished(folder, clock)
      }
  }
}

const shrink = async (folder: string, packs: readonly Pack[], documents: readonly DocumentVersion[]): Promise<void> => {
  for (const { pack, live } of claim(packs, documents)) {
    if (live.length === pack.documents.length) continue
    const slices = live.length > 0 ? await readLive(pack, live) : undefined
    if (slices) await writePack(folder, pack, unpack(live, slices))
    await rm(pack.path, { force: true })
  }
}

/** No pack takes an hour to write. */
const unfinishedAfterMs = 60 * 60_000

const deleteUnfinished = async (folder: string, clock: Clock): Promise<void> => {
  const beforeMs = clock.now().getTime() - unfinishedAfterMs
  for (const name of (await namesIn(folder)).filter((one) => one.endsWith(unfinishedEnding))) {
    const path = join(folder, name)
    if ((await stat(path)).mtimeMs < beforeMs) await rm(path, { force: true })
  }
}
