/** Four counts, each with a link to its list. */
import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Count } from '#ui/values/count.tsx'
import { useAdmins, useOrganizations, useOutbox, useUsers } from './api.ts'

const one = { limit: 1 }

export function Counts() {
  return (
    <div className="grid grid-cols-2 overflow-hidden rounded-panel border bg-surface lg:grid-cols-4">
      <CountCard label="Users" to="/platform/users" query={useUsers(one)} />
      <CountCard label="Organizations" to="/platform/organizations" query={useOrganizations(one)} />
      <CountCard label="Admins" to="/platform/admins" query={useAdmins(one)} />
      <CountCard label="Emails" to="/platform/mail" query={useOutbox(one)} />
    </div>
  )
}

interface CountCardProps {
  label: string
  to: '/platform/users' | '/platform/organizations' | '/platform/admins' | '/platform/mail'
  query: UseQueryResult<{ total: number }>
}

function CountCard({ label, to, query }: CountCardProps) {
  return (
    <Link
      to={to}
      className="-mt-px -ml-px border-t border-l px-5 py-4 transition-colors duration-150 hover:bg-sunken focus-visible:outline-offset-[-2px]"
    >
      <span className="block text-soft text-sm">{label}</span>
      <span className="mt-1 block font-serif text-xl">
        <Count query={query} of={({ total }) => total} />
      </span>
    </Link>
  )
}
