/** Where packs are: `<root>/<collection>/<engine>/*.pack`. Other files are left alone. */
import { createHash } from 'node:crypto'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isUuid } from '#kernel/ids.ts'
import type { DocumentVersion } from '../queries/vectors.ts'
import { gatherRuns, type Pack, type PackedDocument, type PackKey, type UnpackedDocument } from './pack-format.ts'
import { BrokenPack, readHead, readRows } from './read-pack.ts'
import { type Slice, sliceRows } from './vector-slices.ts'
import { packEnding } from './write-pack.ts'

export const folderOf = (root: string, { collectionId, engine, dimensions }: PackKey): string =>
  join(root, collectionId, `${createHash('sha256').update(engine).digest('hex').slice(0, 16)}-${dimensions}`)

export const listCollections = async (root: string): Promise<string[]> => (await namesIn(root)).filter(isUuid)

/** One for each engine whose vectors were searched. */
export const listFolders = async (root: string, collectionId: string): Promise<string[]> =>
  (await namesIn(join(root, collectionId))).map((name) => join(root, collectionId, name))

/** None where there is no such folder. */
export const namesIn = async (folder: string): Promise<string[]> => {
  try {
    return (await readdir(folder)).toSorted()
  } catch (problem) {
    if ((problem as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw problem
  }
}

/** In the order of their names. Deletes those that are broken, or that came here from elsewhere. */
export const listPacks = async (root: string, folder: string): Promise<Pack[]> => {
  const packs: Pack[] = []
  for (const name of (await namesIn(folder)).filter((one) => one.endsWith(packEnding))) {
    const path = join(folder, name)
    const pack = await orBroken(path, readHead(path))
    if (pack && folderOf(root, pack) === folder) packs.push(pack)
    else await rm(path, { force: true })
  }
  return packs
}

/** The vectors of these documents; undefined, and no pack any more, where it is broken. */
export const readLive = (pack: Pack, live: readonly PackedDocument[]): Promise<Slice[] | undefined> =>
  orBroken(pack.path, readRows(pack, new Set(live.map(({ fileId }) => fileId)), sliceRows(pack.dimensions)))

/** Another server may have replaced it meanwhile. */
const orBroken = async <Result>(path: string, reading: Promise<Result>): Promise<Result | undefined> => {
  try {
    return await reading
  } catch (problem) {
    if (!(problem instanceof BrokenPack) && (problem as NodeJS.ErrnoException).code !== 'ENOENT') throw problem
    await rm(path, { force: true })
    return undefined
  }
}

export interface Claim {
  pack: Pack
  live: PackedDocument[]
}

/** Pure. What each pack holds of these versions of the documents, each document once. */
export const claim = (packs: readonly Pack[], documents: readonly DocumentVersion[]): Claim[] => {
  const wanted = new Map(documents.map((one) => [one.fileId, one]))
  return packs.map((pack) => {
    const live = pack.documents.filter(({ fileId, version, indexedAt }) => {
      const document = wanted.get(fileId)
      return document?.version === version && document.indexedAt === indexedAt
    })
    for (const { fileId } of live) wanted.delete(fileId)
    return { pack, live }
  })
}

/** Pure. The documents with their rows in the slices. */
export const unpack = (
  documents: readonly Pick<DocumentVersion, 'fileId' | 'version' | 'indexedAt'>[],
  slices: readonly Slice[],
): UnpackedDocument[] => {
  const runs = gatherRuns(slices)
  return documents.map(({ fileId, version, indexedAt }) => ({
    fileId,
    version,
    indexedAt,
    runs: runs.get(fileId) ?? [],
  }))
}

export const sizeOf = async (folder: string): Promise<{ bytes: number; usedMs: number }> => {
  const files = await Promise.all(
    (await namesIn(folder)).map((name) => stat(join(folder, name)).catch(() => undefined)),
  )
  const { mtimeMs } = await stat(folder)
  return { bytes: files.reduce((sum, file) => sum + (file?.size ?? 0), 0), usedMs: mtimeMs }
}
