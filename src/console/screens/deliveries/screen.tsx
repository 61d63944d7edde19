// Deliveries: what is sent to whom and when, whether it arrived, and the places it may go to.

import { useSearchParams } from "wouter";
import { Tabs } from "../../ui/controls.ts";
import { useMay } from "../../api/me.ts";
import { Page } from "../../ui/layout/page.tsx";
import { AlertWebhook } from "./alert-webhook.tsx";
import { DeliveryList } from "./delivery-list.tsx";
import { DestinationList } from "./destinations/destination-list.tsx";
import { MailAddresses } from "./mail-addresses.tsx";
import { MessageList } from "./message-list.tsx";

export default function DeliveriesScreen() {
  const [search, setSearch] = useSearchParams();
  const mayManage = useMay("team:manage");
  const tab = search.get("tab") ?? "deliveries";
  return (
    <Page title="Deliveries" lead="Results that go to people and to other services, and what became of each message.">
      <Tabs
        value={tab}
        onChange={(next) => setSearch(next === "deliveries" ? {} : { tab: next ?? "" })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="deliveries">Deliveries</Tabs.Tab>
          <Tabs.Tab value="destinations">Destinations</Tabs.Tab>
          {mayManage && (
            <>
              <Tabs.Tab value="messages">Messages</Tabs.Tab>
              <Tabs.Tab value="addresses">Mail addresses</Tabs.Tab>
              <Tabs.Tab value="alerts">Alerts</Tabs.Tab>
            </>
          )}
        </Tabs.List>
        <Tabs.Panel value="deliveries">
          <DeliveryList />
        </Tabs.Panel>
        <Tabs.Panel value="messages">
          <MessageList />
        </Tabs.Panel>
        <Tabs.Panel value="destinations">
          <DestinationList />
        </Tabs.Panel>
        <Tabs.Panel value="addresses">
          <MailAddresses />
        </Tabs.Panel>
        <Tabs.Panel value="alerts">
          <AlertWebhook />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
