import { createApp } from 'vue';
import App from './App.vue';
import { createDeskRouter } from './router';
import { listenToKeys } from './shell/keys';
import 'gatehouse-ui/base.css';
import './styles/base.css';
import 'gatehouse-ui/controls.css';
import './styles/controls.css';
import './styles/page.css';

const router = createDeskRouter();
listenToKeys(router);
createApp(App).use(router).mount('#app');
