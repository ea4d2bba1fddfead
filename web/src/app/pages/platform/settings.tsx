/** Settings of the instance. */
import { SettingsPanels } from '#features/settings/settings-panels.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'

export function SettingsPage() {
  return (
    <>
      <PageTitle>Settings</PageTitle>
      <SettingsPanels />
    </>
  )
}
