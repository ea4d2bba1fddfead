/** MCP clients send the browser here: the person allows or declines. */
import { useLocation } from '@tanstack/react-router'
import { ConsentPanel } from '#features/mcp-clients/consent-panel.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'

export function ConnectPage() {
  const search = useLocation({ select: ({ searchStr }) => searchStr.replace(/^\?/, '') })
  return (
    <>
      <PageTitle>Connect an application</PageTitle>
      <ConsentPanel search={search} />
    </>
  )
}
