/** Settings for documents of a person without an organization; an organization's admins have theirs there. */
import { AiSettingsPanel } from '#features/signing/ai/ai-settings-panel.tsx'
import { CertificatePanel } from '#features/signing/certificate/certificate-panel.tsx'
import { WebhooksPanel } from '#features/webhooks/webhooks-panel.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'

export const OwnDocumentsPage = () => (
  <>
    <PageTitle>Documents</PageTitle>
    <AiSettingsPanel />
    <CertificatePanel canChange={false} />
    <WebhooksPanel />
  </>
)
