/** The facts of each signature. */
import type { VerifyReply } from '@chancery/contract/signing/verification.ts'
import { formatBytes } from '#lib/text/bytes.ts'
import { formatExact } from '#lib/time/times.ts'
import { Facts } from '#ui/page/layout.tsx'
import { changeText, resultText } from './verdict.ts'

type Signature = VerifyReply['signatures'][number]

export function SignatureList({ signatures }: { signatures: readonly Signature[] }) {
  return signatures.map((signature, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: signatures are in the order of the file
    <section key={index} aria-label={`Signature ${index + 1}`} className="border-t pt-4 text-sm">
      <h3 className="mb-2 font-medium text-base">{signature.signer ?? 'Unknown signer'}</h3>
      <Facts items={factsOf(signature)} />
      {signature.changes.length > 0 && (
        <>
          <p className="mt-3 font-medium">Changed since</p>
          <ul className="list-disc pl-5 text-soft">
            {signature.changes.map((change) => (
              <li key={JSON.stringify(change)}>{changeText(change)}</li>
            ))}
          </ul>
        </>
      )}
    </section>
  ))
}

const timeSources = {
  authority: 'confirmed by a time-stamp authority',
  untrusted_authority: 'time-stamped by an authority that isn’t trusted here',
  claimed: 'as stated in the file',
}

function factsOf(signature: Signature) {
  const { signedAt, timeSource, coversWholeFile, bytesAppended, issuer, certificateValidTo, isSelfSigned } = signature
  return [
    { term: 'Signature', value: resultText(signature) },
    ...(signedAt === null
      ? []
      : [
          {
            term: 'Signed',
            value: (
              <>
                {formatExact(new Date(signedAt))}
                {timeSource && <span className="block text-faint">{timeSources[timeSource]}</span>}
              </>
            ),
          },
        ]),
    { term: 'Covers', value: coversWholeFile ? 'The whole file' : `All but the last ${formatBytes(bytesAppended)}` },
    ...(issuer === null ? [] : [{ term: 'Certificate from', value: isSelfSigned ? 'Self-made' : issuer }]),
    ...(certificateValidTo === null
      ? []
      : [{ term: 'Certificate valid until', value: formatExact(new Date(certificateValidTo)) }]),
  ]
}
