/** Uploads. */
import { integer, type ValuesOf } from '#kernel/config/variable.ts'

export const filesVariables = {
  Files: {
    FILE_MAX_SIZE_MB: integer({
      fallback: 100,
      min: 1,
      max: 10_000,
      sentence: 'The largest file that can be uploaded, in mebibytes.',
    }),
  },
} as const
export type FilesConfig = ValuesOf<typeof filesVariables>
