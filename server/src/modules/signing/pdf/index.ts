/** PDF work for the document flow: reading, drawing and sealing, and the public check of any PDF. */
import type { Kernel, Module } from '#kernel/kernel.ts'
import type { Organizations } from '#modules/organizations/index.ts'
import type { PdfWork } from '../ports.ts'
import { createTimestamp } from '../seal/ask-authority.ts'
import { createFindRevocation } from '../seal/find-revocation.ts'
import { certificateRoutes } from '../seal/routes.ts'
import { createSealKeys } from '../seal/seal-keys.ts'
import { verifyRoute } from '../verify/route.ts'
import { createTrust } from '../verify/trusted-authorities.ts'
import { createConverter } from './convert-file.ts'
import { sweepOfficeFolders } from './office-file.ts'
import { createPdfChild } from './pdf-child.ts'
import { isDrawablePng } from './png.ts'
import { sealDocument } from './seal-document.ts'
import { undrawable } from './text/drawable.ts'

interface PdfWorkNeeds {
  kernel: Kernel
  organizations: Pick<Organizations, 'requireWritable'>
}

/** Throws a `StartError` when the operator's sealing key cannot be used. */
export const createPdfWork = async ({ kernel, organizations }: PdfWorkNeeds): Promise<PdfWork & Module> => {
  const { blobs, children, clock, config, db, failpoints, log, outbound } = kernel
  const child = createPdfChild({ children, blobs })
  const keys = await createSealKeys(kernel)
  const timestamp = config.SIGNING_TSA_URL === undefined ? undefined : createTimestamp(outbound, config.SIGNING_TSA_URL)
  const isTrusted = await createTrust(config.SIGNING_TSA_CA_PATH)
  const findRevocation = createFindRevocation(kernel)
  const verifyUrl = `${kernel.externalUrl}/verify`
  const needs = { child, keys, blobs, clock, db, failpoints, log, verifyUrl, timestamp, findRevocation }
  return {
    inspect: child.inspect,
    convert: createConverter({ kernel, child }),
    propose: child.propose,
    text: child.text,
    undrawable,
    isDrawablePng,
    seal: (request) => sealDocument(needs, request),
    start: () => kernel.tasks.run('signing.sweep-office', sweepOfficeFolders),
    routes: [verifyRoute({ blobs, child, db, isTrusted }), ...certificateRoutes({ kernel, organizations, keys })],
  }
}
