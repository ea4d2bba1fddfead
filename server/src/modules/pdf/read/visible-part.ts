/** What is seen of a page, as the strict reader finds it. Pure. */
import type { FoundPage } from '../strict/page-tree.ts'
import type { StrictFile } from '../strict/strict-file.ts'
import { ReadersDisagree } from '../strict/syntax.ts'
import { numberOf, numbersOf } from '../strict/values.ts'
import { type Box, boxOf, rotationOf, type VisiblePage, visibleBox } from './page-geometry.ts'

export const visibleIn = ({ resolve }: StrictFile, page: FoundPage): VisiblePage => {
  const box = (key: 'MediaBox' | 'CropBox'): Box | undefined => boxOf(numbersOf(resolve, page.inherited(key)))
  const turned = numberOf(resolve(page.inherited('Rotate'))) ?? 0
  if (turned % 90 !== 0) throw new ReadersDisagree('a page that is turned by another angle')
  return { box: visibleBox(box('MediaBox'), box('CropBox')), rotation: rotationOf(turned) }
}
