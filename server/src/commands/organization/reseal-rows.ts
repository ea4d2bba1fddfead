/**
 * Rows as COPY writes them, with what is sealed in them sealed for somebody else: on the way out with a key that only the
 * file has, on the way in with the key of the instance.
 */
import { type StoredSeal, sealContextOf } from '#kernel/crypto/seal-context.ts'
import type { Sealer } from '#kernel/crypto/sealer.ts'
import { resealText } from '../rotate-keys/reseal-text.ts'

interface Options {
  columns: readonly string[]
  /** Those of this table. */
  seals: readonly StoredSeal[]
  sealer: Sealer
  onUnreadable(): void
}

export async function* resealRows(content: AsyncIterable<Uint8Array>, options: Options): AsyncGenerator<Uint8Array> {
  if (options.seals.length === 0) {
    yield* content
    return
  }
  for await (const line of linesOf(content)) yield Buffer.from(`${resealRow(line, options)}\n`)
}

/** COPY writes line breaks in values as `\n`, so each line is a row. */
async function* linesOf(content: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let pieces: Uint8Array[] = []
  for await (const chunk of content) {
    let from = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      yield Buffer.concat([...pieces, chunk.subarray(from, end)]).toString()
      pieces = []
      from = end + 1
    }
    if (from < chunk.length) pieces.push(chunk.subarray(from))
  }
  if (pieces.length > 0) yield Buffer.concat(pieces).toString()
}

/** Sealed texts and ids have no characters that COPY would escape. */
const resealRow = (line: string, { columns, seals, sealer, onUnreadable }: Options): string => {
  const fields = line.split('\t')
  for (const seal of seals) {
    const context = sealContextOf(
      seal,
      seal.by.map((name) => fields[columns.indexOf(name)] ?? ''),
    )
    for (const column of seal.columns) {
      const index = columns.indexOf(column)
      const found = resealText(sealer, fields[index] ?? '', context)
      if (found.unreadable > 0) onUnreadable()
      if (found.resealed > 0) fields[index] = found.text
    }
  }
  return fields.join('\t')
}
