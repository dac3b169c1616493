import { createApp } from 'vue';
import App from './App.vue';
import { i18n } from './i18n/i18n';
import { createDeskRouter } from './router';
import { listenToKeys } from './shell/keys';
import 'gatehouse-ui/base.css';
import './styles/base.css';
import 'gatehouse-ui/controls.css';
import './styles/controls.css';
import './styles/page.css';

const router = createDeskRouter();
listenToKeys(router);
createApp(App).use(i18n).use(router).mount('#app');
