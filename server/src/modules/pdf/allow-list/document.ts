/** What a document says about itself. */
import { aString, dictOf, keysOf } from './shape.ts'

export const about = dictOf(keysOf('Title Author Subject Keywords Creator Producer CreationDate ModDate', aString))
