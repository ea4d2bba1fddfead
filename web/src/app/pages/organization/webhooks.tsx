/** The organization's webhooks. */
import { WebhooksPanel } from '#features/webhooks/webhooks-panel.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'

export const WebhooksPage = () => (
  <>
    <PageTitle>Webhooks</PageTitle>
    <WebhooksPanel />
  </>
)
