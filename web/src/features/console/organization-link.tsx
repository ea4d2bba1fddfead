/** An organization's name, linked to its page. */
import { Link } from '@tanstack/react-router'
import { useOrganizationDetail } from './api.ts'

export function OrganizationLink({ id }: { id: string }) {
  const { data } = useOrganizationDetail(id)
  return (
    <Link
      to="/platform/organizations/$organizationId"
      params={{ organizationId: id }}
      className="underline decoration-rule underline-offset-4 hover:decoration-seal"
    >
      {data?.name ?? `${id.slice(0, 8)}…`}
    </Link>
  )
}
