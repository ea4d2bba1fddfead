/** Compares a sealed file with the files that it was made of, before it is signed. */
import type { DrawnPage } from '../interface.ts'
import { type Comparison, compareDrawn } from './compare-drawn.ts'
import { type FieldBox, readUnprepared } from './read-drawn.ts'

interface SignedFile {
  fields: readonly FieldBox[]
  drawn: readonly DrawnPage[] | null
}

/** `originals`: the bytes of the files, in their order. */
export const checkSealed = async (
  files: readonly SignedFile[],
  originals: readonly Uint8Array[],
  sealed: Uint8Array,
): Promise<Comparison> => {
  const known: DrawnPage[] = []
  const boxes: FieldBox[] = []
  for (const [index, { fields, drawn }] of files.entries()) {
    const file = drawn === null ? await readUnprepared(originals[index] ?? new Uint8Array()) : { drawn, boxes: [] }
    const before = known.length
    for (const { page, x, y, width, height } of [...fields, ...file.boxes])
      boxes.push({ page: before + page, x, y, width, height })
    known.push(...file.drawn)
  }
  if (known.length === 0) return { pages: 0 }
  return compareDrawn(known, sealed, boxes, { isStrict: files.every(({ drawn }) => drawn !== null) })
}
