/** Which organizations are a demo: the database lets only their documents' evidence be deleted. */
interface DemoOrganizationsTable {
  organizationId: string
  createdAt: Date
}

declare module '#kernel/db/tables.ts' {
  interface Tables {
    demoOrganizations: DemoOrganizationsTable
  }
}
