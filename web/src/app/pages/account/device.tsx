/** A command line sends people here to confirm the code that it shows. */
import { getRouteApi } from '@tanstack/react-router'
import { DeviceCodeForm, DevicePanel } from '#features/devices/device-panel.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'

const route = getRouteApi('/shell/account/device')

export function DevicePage() {
  const { code } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <>
      <PageTitle>Sign in on a device</PageTitle>
      {code === undefined ? (
        <DeviceCodeForm onCode={(typed) => navigate({ search: { code: typed } })} />
      ) : (
        <DevicePanel code={code} />
      )}
    </>
  )
}
