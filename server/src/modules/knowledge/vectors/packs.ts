/**
 * The vectors of large collections, kept in the data folder for the next start. All of it is a cache: it can be deleted at
 * any time. Servers of one machine share it without locks: packs never change, and what is missing or broken is read from
 * the tables. A pack's document counts only while the tables have the same version of it.
 */
import { mkdir, rm, statfs, utimes } from 'node:fs/promises'
import type { Clock } from '#kernel/clock.ts'
import type { Log } from '#kernel/log.ts'
import { createConcurrencyLimit } from '#kernel/turns/concurrency-limit.ts'
import type { DocumentVersion } from '../queries/vectors.ts'
import {
  type Claim,
  claim,
  folderOf,
  listCollections,
  listFolders,
  listPacks,
  readLive,
  sizeOf,
  unpack,
} from './pack-folder.ts'
import type { PackKey, UnpackedDocument } from './pack-format.ts'
import { type ListDocuments, sweepPacks } from './sweep-packs.ts'
import { type Slice, sliceRows } from './vector-slices.ts'
import { writePack } from './write-pack.ts'

export interface PackOptions {
  root: string
  /** The most that they may take on the disk; with 0 there are none. */
  maxBytes: number
  leastRows?: number
}

/** The tables give so many in a quarter of a second. */
const usualLeastRows = 5000

/** The version of each file whose vectors are in the slices. */
export interface Loaded {
  files: ReadonlyMap<string, number>
  slices: readonly Slice[]
}

interface Wanted {
  key: PackKey
  documents: readonly DocumentVersion[]
}

export interface Packs {
  /** Fewer vectors than these are not worth a pack. */
  leastRows: number
  /** What is kept of these documents. The rest has to come from the tables. */
  load(wanted: Wanted): Promise<Loaded>
  /** Writes what is not kept yet of these documents, if it is enough to be worth it. */
  save(wanted: Wanted, slices: readonly Slice[]): Promise<void>
  /** Deletes what the tables no longer have. */
  sweep(listDocuments: ListDocuments): Promise<void>
}

export const createPacks = (
  { clock, log }: { clock: Clock; log: Log },
  { leastRows = usualLeastRows, ...options }: PackOptions,
): Packs => {
  const { root, maxBytes } = options
  const orWarn = async <Result>(fallback: Result, work: () => Promise<Result>): Promise<Result> => {
    if (maxBytes === 0) return fallback
    return work().catch((problem: unknown) => {
      log.warn({ err: problem }, 'Vectors cannot be kept in the data folder. They are read from the database.')
      return fallback
    })
  }
  return {
    leastRows,
    load: (wanted) => orWarn({ files: new Map(), slices: [] }, () => load(root, clock, wanted)),
    save: (wanted, slices) => orWarn(undefined, () => save({ ...options, leastRows }, { ...wanted, slices })),
    sweep: (listDocuments) => orWarn(undefined, () => sweepPacks(root, clock, listDocuments)),
  }
}

/** One is read while another is checked. */
const readsAtOnce = 2

const load = async (root: string, clock: Clock, { key, documents }: Wanted): Promise<Loaded> => {
  const folder = folderOf(root, key)
  const claims = claim(await listPacks(root, folder), documents).filter(({ live }) => live.length > 0)
  const atOnce = createConcurrencyLimit(readsAtOnce)
  const read = await Promise.all(claims.map(({ pack, live }) => atOnce(() => readLive(pack, live))))
  if (claims.length > 0) await utimes(folder, clock.now(), clock.now())
  const whole = claims.filter((_, index) => read[index] !== undefined)
  return {
    files: new Map(whole.flatMap(({ live }) => live.map(({ fileId, version }) => [fileId, version]))),
    slices: read.flatMap((slices) => slices ?? []),
  }
}

const save = async (
  { root, maxBytes, leastRows }: Required<PackOptions>,
  { key, documents, slices }: Wanted & { slices: readonly Slice[] },
): Promise<void> => {
  const folder = folderOf(root, key)
  const rowsPerPack = sliceRows(key.dimensions)
  const { kept, dropped } = choose(claim(await listPacks(root, folder), documents), rowsPerPack)
  const held = new Set(kept.flatMap(({ live }) => live.map(({ fileId }) => fileId)))
  const missing = unpack(
    documents.filter(({ fileId }) => !held.has(fileId)),
    slices,
  )
  const rows = missing.reduce((sum, one) => sum + rowsOf(one), 0)
  if (rows < leastRows) return
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if (!(await makeRoom(root, { folder, maxBytes, bytes: rows * (key.dimensions * 4 + 8) }))) return
  const written = new Set<string>()
  for (const group of groupsOf(missing, rowsPerPack)) written.add(await writePack(folder, key, group))
  // The same documents have the same name again.
  for (const { pack } of dropped) if (!written.has(pack.path)) await rm(pack.path, { force: true })
}

/** More than so many packs that are less than half full are written again together. */
const mostSmall = 8

/** Pure. A pack of which less than half is still current is written again too. */
const choose = (claims: readonly Claim[], rowsPerPack: number): { kept: Claim[]; dropped: Claim[] } => {
  const isCurrent = ({ pack, live }: Claim) => live.reduce((sum, { rows }) => sum + rows, 0) * 2 >= pack.rows
  const isSmall = ({ pack }: Claim) => pack.rows * 2 < rowsPerPack
  const hasTooMany = claims.filter(isSmall).length > mostSmall
  const isKept = (one: Claim) => isCurrent(one) && !(hasTooMany && isSmall(one))
  return { kept: claims.filter(isKept), dropped: claims.filter((one) => !isKept(one)) }
}

const rowsOf = ({ runs }: UnpackedDocument): number => runs.reduce((sum, { from, to }) => sum + to - from, 0)

/** A document is in one pack, however large it is. */
function* groupsOf(documents: readonly UnpackedDocument[], rowsPerPack: number): Generator<UnpackedDocument[]> {
  let group: UnpackedDocument[] = []
  let rows = 0
  for (const document of documents) {
    group.push(document)
    rows += rowsOf(document)
    if (rows < rowsPerPack) continue
    yield group
    group = []
    rows = 0
  }
  if (rows > 0) yield group
}

/** Left free for the database, which may be on the same disk. */
const reservedBytes = 2 * 1024 ** 3

/** Deletes what was used least recently. False: there is no room. */
const makeRoom = async (
  root: string,
  { folder, bytes, maxBytes }: { folder: string; bytes: number; maxBytes: number },
): Promise<boolean> => {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize - bytes < reservedBytes) return false
  const folders = (await Promise.all((await listCollections(root)).map((id) => listFolders(root, id)))).flat()
  const sizes = await Promise.all(folders.map(async (path) => ({ path, ...(await sizeOf(path)) })))
  const others = sizes.filter(({ path }) => path !== folder).toSorted((one, other) => one.usedMs - other.usedMs)
  const own = bytes + (sizes.find(({ path }) => path === folder)?.bytes ?? 0)
  if (own > maxBytes) return false
  let total = others.reduce((sum, one) => sum + one.bytes, own)
  for (const oldest of others) {
    if (total <= maxBytes) break
    await rm(oldest.path, { recursive: true, force: true })
    total -= oldest.bytes
  }
  return true
}
