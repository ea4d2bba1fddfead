/** The size of a field, in points of the page that it is on. Pure. */
import type { Size } from '#modules/pdf/index.ts'

interface Place {
  fileId: string
  page: number
  width: number
  height: number
}

interface PlacedFile {
  id: string
  pages: readonly Size[]
}

/** Undefined for a field that is on no page, which is refused elsewhere. */
export const boxOf = (files: readonly PlacedFile[], { fileId, page, width, height }: Place): Size | undefined => {
  const size = files.find(({ id }) => id === fileId)?.pages[page - 1]
  return size && { width: width * size.width, height: height * size.height }
}
