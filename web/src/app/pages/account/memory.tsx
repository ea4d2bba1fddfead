/** The facts that models remember about the viewer. */
import { MemoryPanel } from '#features/memory/memory-panel.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'

export const MemoryPage = () => (
  <>
    <PageTitle>Memory</PageTitle>
    <MemoryPanel />
  </>
)
