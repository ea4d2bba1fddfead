/** The public check of any PDF. The file is read in the child and deleted with the request. */
import * as endpoints from '@chancery/contract/endpoints/seals.ts'
import type { Blobs } from '#kernel/blobs/index.ts'
import type { Clock } from '#kernel/clock.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { PdfChild } from '../child/pdf-child.ts'
import { findSealUnscoped } from '../keys/queries.ts'
import type { SealKeys } from '../keys/seal-keys.ts'
import { presentVerification } from './present.ts'
import type { Trust } from './trusted-authorities.ts'

const maxBytes = 100 * 1024 * 1024

interface Needs {
  blobs: Blobs
  child: PdfChild
  db: Db
  clock: Clock
  keys: Pick<SealKeys, 'isInstances'>
  trust: Trust
}

export const verifyRoute = ({ blobs, child, db, clock, keys, trust }: Needs): Route =>
  route({
    ...endpoints.verifyFile,
    access: 'public',
    writes: { reachesOthers: false, whenReadOnly: 'allowed' },
    summary: 'Check the signatures of a PDF; the file is not kept',
    limits: [
      { per: 'address', max: 10, windowSec: 60 },
      { per: 'address', max: 60, windowSec: 3600 },
    ],
    upload: { maxBytes, types: ['application/pdf'] },
    handle: async ({ http }) => {
      const [file] = http.files
      const blob = file && (await blobs.get(file.key))
      if (!blob) throw new AppError('upload_expired')
      // Files from one address wait for each other, not for those of others.
      const report = await child.verifyForeign(blob.stream, http.ip)
      const findSeal = (sha256: string) => findSealUnscoped(db, sha256)
      return presentVerification(report, { findSeal, isInstances: keys.isInstances, trust, now: clock.now() })
    },
  })
