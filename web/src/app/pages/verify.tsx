/** Anybody can check a signed PDF here, without an account. */
import { VerifyView } from '#features/signing/verify/verify-view.tsx'
import { Sheet } from '../frames/sheet.tsx'

export const VerifyPage = () => (
  <Sheet
    title="Verify a document"
    hint="Check whether a signed PDF is unchanged and who sealed it. The file isn’t stored."
  >
    <VerifyView />
  </Sheet>
)
