/** Reading, drawing and sealing PDFs, and the public check of any. The module's public interface. */
import type { Kernel, Module } from '#kernel/kernel.ts'
import type { Organizations } from '#modules/organizations/index.ts'
import { createPdfChild } from './child/pdf-child.ts'
import { createTimestamp } from './cms/ask-authority.ts'
import type { PdfConfig } from './config.ts'
import { createConverter } from './convert/convert-file.ts'
import { sweepOfficeFolders } from './convert/office-file.ts'
import { isDrawablePng } from './draw/png.ts'
import { undrawable } from './draw/text/drawable.ts'
import { fits } from './draw/text/fits.ts'
import type { PdfWork } from './interface.ts'
import { certificateRoutes } from './keys/routes.ts'
import { createSealKeys } from './keys/seal-keys.ts'
import { createPrepare } from './prepare/prepare-pdf.ts'
import { createWrite } from './prepare/stage-text.ts'
import { verifyRoute } from './public-check/route.ts'
import { createTrust } from './public-check/trusted-authorities.ts'
import { createFindRevocation } from './seal/find-revocation.ts'
import { sealPdf } from './seal/seal-pdf.ts'

export { dayText } from './draw/local-dates.ts'
export type {
  DrawnPage,
  PdfFacts,
  PdfWork,
  PlacedField,
  PreparedFile,
  PrepareOptions,
  SealedFile,
  SealRequest,
  Size,
  TaggedField,
  TextToWrite,
} from './interface.ts'

interface PdfWorkNeeds {
  kernel: Kernel<PdfConfig>
  organizations: Pick<Organizations, 'requireWritable'>
}

/** Throws a `StartError` when the operator's sealing key cannot be used. */
export const createPdfWork = async ({ kernel, organizations }: PdfWorkNeeds): Promise<PdfWork & Module> => {
  const { blobs, clock, config, db, failpoints, log, outbound } = kernel
  const child = createPdfChild(kernel)
  const keys = await createSealKeys(kernel)
  const timestamp = config.SIGNING_TSA_URL === undefined ? undefined : createTimestamp(outbound, config.SIGNING_TSA_URL)
  const trust = await createTrust(config)
  const findRevocation = createFindRevocation(kernel)
  const verifyUrl = `${kernel.externalUrl}/verify`
  const needs = { child, keys, blobs, clock, db, failpoints, log, verifyUrl, timestamp, findRevocation }
  return {
    prepare: createPrepare({ child, blobs }),
    inspect: child.inspect,
    convert: createConverter({ kernel, child }),
    propose: child.propose,
    write: createWrite({ child, blobs }),
    text: child.text,
    undrawable,
    fits,
    isDrawablePng,
    seal: (request) => sealPdf(needs, request),
    start: () => kernel.tasks.run('signing.sweep-office', sweepOfficeFolders),
    routes: [
      verifyRoute({ blobs, child, db, clock, keys, trust }),
      ...certificateRoutes({ kernel, organizations, keys }),
    ],
  }
}
