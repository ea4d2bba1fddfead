/** Reads vectors from the tables, a slice at a time; after a change only those of files that have changed. */
import type { Db } from '#kernel/db/database.ts'
import { type DocumentVersion, listVectorsUnscoped, type StoredVector, type VectorRange } from '../queries/vectors.ts'
import type { Loaded } from './packs.ts'
import { joinSmall, removeFiles, type Slice, sliceOf, sliceRows, type VectorSearch } from './vector-slices.ts'

interface Refresh {
  documents: readonly DocumentVersion[]
  /** What there is already, in memory or on the disk. */
  known(): Promise<Loaded | undefined>
  /** How many chunks have to be read. */
  onRead(rows: number): void
}

export const refresh = async (
  db: Db,
  search: VectorSearch,
  { documents, known, onRead }: Refresh,
): Promise<readonly Slice[]> => {
  const { slices, stale, changed } = await compare(known, documents)
  onRead(chunksOf(changed))
  await removeFiles(slices, stale)
  for await (const slice of readSlices(db, changed, search)) slices.push(slice)
  return joinSmall(slices)
}

export const chunksOf = (documents: readonly DocumentVersion[]): number =>
  documents.reduce((sum, { chunks }) => sum + chunks, 0)

/** Keeps no reference to what was known, so that each old slice is freed once it is replaced. */
const compare = async (known: Refresh['known'], documents: readonly DocumentVersion[]) => {
  const { files, slices } = (await known()) ?? { files: new Map<string, number>(), slices: [] }
  const isSame = ({ fileId, version }: DocumentVersion) => files.get(fileId) === version
  const stale = new Set(files.keys())
  for (const { fileId } of documents.filter(isSame)) stale.delete(fileId)
  // A search that is under way goes through the entry's own array.
  return { slices: [...slices], stale, changed: documents.filter((one) => !isSame(one)) }
}

const maxRowsPerRead = 5000

export async function* readSlices(
  db: Db,
  documents: readonly DocumentVersion[],
  { engine, vector }: VectorSearch,
): AsyncGenerator<Slice> {
  const rowsPerSlice = sliceRows(vector.length)
  let slice: StoredVector[] = []
  for (const read of readsOf(documents, Math.min(maxRowsPerRead, rowsPerSlice))) {
    const rows = await listVectorsUnscoped(db, engine, read)
    // An engine that was changed behind its name: vectors of another length cannot be compared.
    slice.push(...rows.filter((row) => row.vector.length === vector.byteLength))
    if (slice.length < rowsPerSlice) continue
    yield sliceOf(slice, vector.length)
    slice = []
  }
  if (slice.length > 0) yield sliceOf(slice, vector.length)
}

/** Several small files are read at once, and a large one in several pieces. */
function* readsOf(documents: readonly DocumentVersion[], rowsPerRead: number): Generator<VectorRange> {
  let fileIds: string[] = []
  let rows = 0
  for (const { fileId, chunks } of documents.filter((one) => one.chunks <= rowsPerRead)) {
    if (rows + chunks > rowsPerRead) {
      yield { fileIds, from: 0, to: rowsPerRead }
      fileIds = []
      rows = 0
    }
    fileIds.push(fileId)
    rows += chunks
  }
  if (fileIds.length > 0) yield { fileIds, from: 0, to: rowsPerRead }
  for (const { fileId, chunks } of documents.filter((one) => one.chunks > rowsPerRead))
    for (let from = 0; from < chunks; from += rowsPerRead) yield { fileIds: [fileId], from, to: from + rowsPerRead }
}
