/** The prompt library. */
import { PromptsPanel } from '#features/prompts/prompts-panel.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'

export const PromptsPage = () => (
  <>
    <PageTitle>Prompts</PageTitle>
    <PromptsPanel />
  </>
)
